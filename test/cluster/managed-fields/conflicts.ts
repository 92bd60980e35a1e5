/** Conflicts of server-side apply. */

import { failure, type StatusError } from '../apimachinery/status.ts';
import { type FieldSet, pathsOf } from './field-set.ts';
import type { Manager } from './managers.ts';
import { inOrder, pathText } from './path-element.ts';

/** Fields of another manager that an apply would change. */
export interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

/** Apply that would change fields of other managers, without force. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(`conflicts with ${conflicts.map(({ manager }) => manager.manager).join(', ')}`);
    this.conflicts = conflicts;
  }
}

function nameOf({ manager, operation, apiVersion, subresource }: Manager): string {
  const name = JSON.stringify(manager) + (subresource === undefined ? '' : ` with subresource "${subresource}"`);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}

/** Builds the server's 409 for a conflict. */
export function conflictStatus({ conflicts }: ConflictError): StatusError {
  const named = conflicts
    .map(({ manager, fields }) => ({ name: nameOf(manager), paths: [...pathsOf(inOrder(fields))].map(pathText) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const causes = named.flatMap(({ name, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${name}`, field })),
  );
  const [first] = causes;
  const list = named.map(({ name, paths }) =>
    [`conflicts with ${name}:`, ...paths.map((path) => `- ${path}`)].join('\n'),
  );
  const message =
    causes.length === 1
      ? `1 conflict: ${first!.message}: ${first!.field}`
      : `${causes.length} conflicts: ${list.join('\n')}`;
  return failure('Conflict', `Apply failed with ${message}`, { causes });
}
