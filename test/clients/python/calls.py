"""Run against a server by the test beside it, with the package generated from /openapi.json."""

import os

from relata_client import AuthenticatedClient
from relata_client.api.audit_log import list_audit_logs
from relata_client.api.authorization_checks import check_permission
from relata_client.api.groups import create_group, list_groups
from relata_client.api.models import list_models, write_model
from relata_client.api.organization import get_organization_info
from relata_client.api.permissions import create_permission
from relata_client.api.relationships import check_relation, list_objects, list_subjects, org_check_relation
from relata_client.api.roles import create_role, update_role
from relata_client.api.tuples import read_tuples, write_tuples
from relata_client.api.users import add_user_role, create_user, get_user, list_users, org_list_users, update_user
from relata_client import models

client = AuthenticatedClient(base_url=os.environ["RELATA_URL"], token=os.environ["RELATA_KEY"])
tenant = os.environ["RELATA_TENANT"]
calls = 0


def call(operation, *path, body=None, **query):
    """What the operation has answered; anything else than success ends the script."""
    global calls
    if body is not None:
        query["body"] = body
    response = operation.sync_detailed(*path, client=client, **query)
    assert 200 <= response.status_code < 300, (operation.__name__, response.status_code, response.content)
    assert response.parsed is not None or response.status_code == 204, operation.__name__
    calls += 1
    return response.parsed


DSL = "model\n  schema 1.1\ntype user\ntype document\n  relations\n    define viewer: [user]\n"
TUPLE = {"object": "document:plan", "relation": "viewer", "subject": "user:bea"}

call(write_model, tenant, body=models.ModelText.from_dict({"dsl": DSL}))
call(list_models, tenant, limit=5)
call(write_tuples, tenant, body=models.WriteTuplesRequest.from_dict({"writes": [TUPLE]}))
assert len(call(read_tuples, tenant, object_="document:plan").tuples) >= 1
assert call(check_relation, tenant, body=models.CheckRelationRequest.from_dict(TUPLE)).allowed is True
other = models.CheckRelationRequest.from_dict({**TUPLE, "subject": "user:nobody"})
assert call(org_check_relation, tenant, body=other).allowed is False
call(list_objects, tenant, body=models.ListObjectsRequest.from_dict({"type": "document", "relation": "viewer", "subject": "user:bea"}))
call(list_subjects, tenant, body=models.ListSubjectsRequest.from_dict({"object": "document:plan", "relation": "viewer", "subjectType": "user"}))

user = call(create_user, tenant, body=models.CreateUserRequest(email="bea@example.com", name="Bea")).data
assert call(list_users, tenant, search="bea").pagination.total == 1
assert call(org_list_users, tenant).data.meta.total >= 1
assert call(get_user, tenant, user.id).data.email == "bea@example.com"
call(update_user, tenant, user.id, body=update_user._get_kwargs.__annotations__["body"].from_dict({"name": "Bea B."}))
role = call(create_role, tenant, body=models.CreateRoleRequest.from_dict({"name": "Writer", "slug": "writer"})).data
call(update_role, tenant, role.id, body=models.UpdateRoleRequest.from_dict({"name": "Writers"}))
call(add_user_role, tenant, user.id, body=models.AddUserRoleRequest.from_dict({"roleId": role.id}))
permission = create_permission._get_kwargs.__annotations__["body"]
call(create_permission, tenant, body=permission.from_dict({"slug": "document:write", "name": "Write documents"}))
check = check_permission._get_kwargs.__annotations__["body"]
call(check_permission, tenant, body=check.from_dict({"permission": "document:write", "subject": f"user:{user.id}"}))
call(create_group, tenant, body=models.CreateGroupRequest.from_dict({"name": "Crew"}))
call(list_groups, tenant)
call(list_audit_logs, tenant)
call(get_organization_info, tenant)

missing = get_user.sync_detailed(tenant, "nobody", client=client)
assert missing.status_code == 404 and missing.parsed.code == "not_found", missing
print(f"{calls} operations")
