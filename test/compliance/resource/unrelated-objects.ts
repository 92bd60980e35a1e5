/** Objects other than the one under test, which must not change. */

import { isDeepStrictEqual } from 'node:util';
import { listed } from '../scenario/remote-objects.ts';
import { expect } from '../scenario/report.ts';
import type { RemoteObject } from '../subject/subject.ts';
import { createObjectFor, nthOtherOwner, type OtherObject, renamed, siblingOf } from './other-objects.ts';
import { asText, ResourceCaller } from './resource-caller.ts';

/** Objects of the same workspace and of another one, which a call about the object under test must not change. */
export class UnrelatedObjects {
  readonly #caller: ResourceCaller;
  readonly #objects: readonly OtherObject[];
  readonly #before: readonly RemoteObject[];

  private constructor(caller: ResourceCaller, objects: readonly OtherObject[], before: readonly RemoteObject[]) {
    this.#caller = caller;
    this.#objects = objects;
    this.#before = before;
  }

  /** Creates an object of the same workspace and one of another, unless the third party refuses them. */
  static async create(caller: ResourceCaller): Promise<UnrelatedObjects> {
    const { resource, wanted } = caller.made;
    const first = (await caller.scenario.remote()).map(asText);
    const sibling = await siblingOf(caller, (text) => `${text}-2`);
    const others = renamed(wanted, (text) => `${text}-3`, resource);
    const other = await createObjectFor(caller, nthOtherOwner(caller, 1), [others, 'other']);
    const objects = [sibling, other].filter((one) => one !== undefined);
    const now = await caller.scenario.remote();
    return new UnrelatedObjects(
      caller,
      objects,
      now.filter((thing) => !first.includes(asText(thing))),
    );
  }

  /** @throws Finding when one of them has changed, or `find` returns another id for it */
  async expectUntouched(what: string, likely: string): Promise<void> {
    const { scenario, made } = this.#caller;
    const now = (await scenario.remote()).map(asText);
    const lost = this.#before.filter((thing) => !now.includes(asText(thing)));
    expect(lost.length === 0, `${what} changes ${listed(lost)} as well`, likely);
    if (made.resource.find === undefined) return;
    await scenario.wait(made.resource.listLagMs ?? 0);
    for (const { owner, id } of this.#objects) {
      const found = await this.#caller.find(owner);
      expect(
        isDeepStrictEqual(found, id),
        `${what} changes another object as well: find answers ${asText(found)} for ${asText(owner.slot)}, which is ${asText(id)}`,
        likely,
      );
    }
  }

  async remove(): Promise<void> {
    const { scenario, made } = this.#caller;
    for (const one of this.#objects)
      await new ResourceCaller(scenario, { ...made, ...one }).remove('for an object that is there');
  }
}
