import { managerFromAgent, type Tracked } from '../apply/tracking.ts';
import type { KindRules } from '../kind-rules.ts';
import { managedFieldsIn, trackedIn, type Writing } from '../objects/managing.ts';
import type { ManagedFields } from '../objects/scope.ts';
import type { Call } from './call.ts';

/** A name of a manager that a client gave, or what the client calls itself. */
export const managerOf = ({ request }: Call, given: string): string =>
  given === '' ? managerFromAgent(request.headers['user-agent']) : given;

const writingOf = (call: Call, rules: KindRules, given: string): Writing => {
  const { machinery, resource, path } = call;
  return { machinery, resource, rules, manager: managerOf(call, given), subresource: path.subresource };
};

/** A call's write as its managers of fields see it; `given` is the name that the client gave, or empty. */
export const trackedOf = (call: Call, rules: KindRules, given: string): Tracked =>
  trackedIn(writingOf(call, rules, given));

/** Who owns which fields after a call's plain write; `given` is the name that the client gave, or empty. */
export const managedFieldsOf = (call: Call, rules: KindRules, given: string): ManagedFields =>
  managedFieldsIn(writingOf(call, rules, given));
