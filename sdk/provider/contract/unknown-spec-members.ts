/** Finds members of `spec.integrations` that no integration looks for. */

import type { Workspace, WorkspaceSpec } from '../../api/workspace.ts';
import { suggestName } from '../../suggest.ts';
import { ignoreRejection } from '../value-mistakes.ts';
import type { Integration } from './integration.ts';

type SpecMembers = Record<string, unknown>;

/** Returns a spec that reports which members of `integrations` are read. */
function recordReads(spec: WorkspaceSpec, read: (member: string) => void): WorkspaceSpec {
  const noting =
    <T>(reflect: (target: SpecMembers, member: string | symbol) => T) =>
    (target: SpecMembers, member: string | symbol): T => {
      read(String(member));
      return reflect(target, member);
    };
  const members: SpecMembers = { ...spec.integrations };
  const integrations = new Proxy(members, {
    get: noting(Reflect.get),
    has: noting(Reflect.has),
    getOwnPropertyDescriptor: noting(Reflect.getOwnPropertyDescriptor),
  });
  return { ...spec, integrations };
}

/** Returns the members of `spec.integrations` that integrations look for: those that their `handles` reads, and those of their settings. */
function soughtMembers(workspace: Workspace, integrations: readonly Integration[]): ReadonlySet<string> {
  const members = new Set(integrations.flatMap(({ name, settings }) => (settings === undefined ? [] : [name])));
  const spec = recordReads(workspace.spec, (member) => members.add(member));
  for (const { handles } of integrations) {
    try {
      ignoreRejection(handles({ ...workspace, spec }));
    } catch {
      // An error of handles becomes the integration's condition.
    }
  }
  return members;
}

/** Longest member that a message names, in characters. */
const maxMemberLength = 64;

/** Member of `spec.integrations` that no integration looks for. */
export interface UnknownSpecMember {
  /** Path of the member; its name has 64 characters at most. */
  readonly field: string;
  readonly message: string;
  /** Member that was probably meant. */
  readonly meant: string | undefined;
}

/** Returns each member of `spec.integrations` that no integration looks for, with the one that was probably meant. Pure. */
export function unknownSpecMembers(
  workspace: Workspace,
  integrations: readonly Integration[],
): readonly UnknownSpecMember[] {
  const asked = Object.keys(workspace.spec.integrations ?? {});
  if (asked.length === 0) return [];
  const sought = [...soughtMembers(workspace, integrations)];
  return asked
    .filter((member) => !sought.includes(member))
    .map((member) => {
      const meant = suggestName(member, sought);
      const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
      const field = `spec.integrations.${member.slice(0, maxMemberLength)}`;
      return { field, message: `no registered integration reads it${advice}`, meant };
    });
}

/** Describes each member of `spec.integrations` that no integration looks for, in a line. Pure. */
export const unknownSpecMemberTexts = (workspace: Workspace, integrations: readonly Integration[]): readonly string[] =>
  unknownSpecMembers(workspace, integrations).map(({ field, message }) => `${field}: ${message}`);
