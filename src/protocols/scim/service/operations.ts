import { groupRecords, userRecords } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import { readDocument } from '../documents/read-document.ts';
import { type ScimResource, versionOf } from '../documents/scim-resource.ts';
import { createScimGroup, deleteScimGroup, patchScimGroup, replaceScimGroup } from '../groups/group-changes.ts';
import { groupResource, isLarge, memberIds } from '../groups/group-resource.ts';
import { applyPatch } from '../patch/apply-patch.ts';
import { parsePatch } from '../patch/parse-patch.ts';
import { groupType } from '../schema/group-type.ts';
import type { ResourceType } from '../schema/resource-type.ts';
import { userType } from '../schema/user-type.ts';
import { changeScimUser, createScimUser, deleteScimUser, passwordOf } from '../users/user-changes.ts';
import { userAttributes, userResource } from '../users/user-resource.ts';
import { existingRecord, requireReadable } from './requirements.ts';
import type { ScimDependencies, ScimRequest } from './scim-request.ts';

/** A resource after its change. It is read where it is shown: a group can be large. */
export interface Changed {
  readonly id: string;
  /** Absent where all of a group would have to be read for it. */
  readonly version?: () => string;
  readonly read: () => ScimResource;
}

/** The operations on one type of resource. Each change is one commit. */
export interface ScimOperations {
  readonly type: ResourceType;
  /** To be called inside a snapshot. @throws ProblemError 404 */
  read(request: ScimRequest, id: string): ScimResource;
  create(request: ScimRequest, body: unknown): Promise<Changed>;
  replace(request: ScimRequest, id: string, body: unknown): Promise<Changed>;
  patch(request: ScimRequest, id: string, body: unknown): Promise<Changed>;
  remove(request: ScimRequest, id: string): Promise<void>;
}

export function operationsOn(type: ResourceType['name'], dependencies: ScimDependencies): ScimOperations {
  return type === 'User' ? userOperations(dependencies) : groupOperations(dependencies);
}

export function userOperations(dependencies: ScimDependencies): ScimOperations {
  const { engine } = dependencies;
  const changed = ({ caller: { organization }, base }: ScimRequest, id: string): Changed => {
    const { store } = organization;
    const find = () => existingRecord(store, userRecords, id);
    return {
      id,
      version: () => versionOf(userAttributes(id, engine.read(find).document)),
      read: () => engine.read(() => userResource(store, find(), base)),
    };
  };
  return {
    type: userType,
    read({ caller, base }, id) {
      const { store } = caller.organization;
      requireReadable(caller, 'User');
      return userResource(store, existingRecord(store, userRecords, id), base);
    },
    async create(request, body) {
      const resource = readDocument(userType, body, strictness(dependencies, request));
      return changed(request, await createScimUser(dependencies, request, resource));
    },
    async replace(request, id, body) {
      const resource = readDocument(userType, body, strictness(dependencies, request));
      const change = { after: () => resource, password: passwordOf(resource) };
      return changed(request, await changeScimUser(dependencies, request, id, change));
    },
    async patch(request, id, body) {
      const operations = parsePatch(userType, body, strictness(dependencies, request));
      const password = operations.findLast(({ path }) => path?.attribute === 'password')?.value;
      const change = {
        after: (before: ScimResource) => applyPatch(userType, before, operations),
        password: passwordOf({ password }),
      };
      return changed(request, await changeScimUser(dependencies, request, id, change));
    },
    remove: (request, id) => deleteScimUser(dependencies, request, id),
  };
}

export function groupOperations(dependencies: ScimDependencies): ScimOperations {
  return {
    type: groupType,
    read({ caller, base }, id) {
      const { store } = caller.organization;
      requireReadable(caller, 'Group');
      const entry = existingRecord(store, groupRecords, id);
      return groupResource(store, entry, base, memberIds(store, entry.document.name));
    },
    async create(request, body) {
      const resource = readDocument(groupType, body, strictness(dependencies, request));
      return changedGroup(dependencies, request, await createScimGroup(dependencies, request, resource));
    },
    async replace(request, id, body) {
      const resource = readDocument(groupType, body, strictness(dependencies, request));
      return changedGroup(dependencies, request, await replaceScimGroup(dependencies, request, id, resource));
    },
    async patch(request, id, body) {
      const operations = parsePatch(groupType, body, strictness(dependencies, request));
      return changedGroup(dependencies, request, await patchScimGroup(dependencies, request, id, operations));
    },
    remove: (request, id) => deleteScimGroup(dependencies, request, id),
  };
}

/** A group after its change; a large one without its members, which whoever changed it knows. */
export function changedGroup({ engine }: ScimDependencies, { caller, base }: ScimRequest, id: string): Changed {
  const { store } = caller.organization;
  const read = (): ScimResource => {
    const entry = existingRecord(store, groupRecords, id);
    return groupResource(store, entry, base, isLarge(store, entry) ? undefined : memberIds(store, entry.document.name));
  };
  return { id, read: () => engine.read(read) };
}

function strictness({ engine }: ScimDependencies, { caller }: ScimRequest) {
  return engine.read(() => readSettings(caller.organization.store).scim);
}
