"""Runs every check of scim2-tester against a service provider, and prints what each of them found as JSON."""

import json
import os

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

http = Client(
    base_url=os.environ["SCIM_URL"],
    headers={"Authorization": "Bearer " + os.environ["SCIM_TOKEN"]},
    timeout=60,
)
results = check_server(SyncSCIMClient(http))
print(
    json.dumps(
        [
            {
                "status": result.status.name,
                "title": result.title,
                "type": result.resource_type,
                "reason": result.reason,
            }
            for result in results
        ]
    )
)
