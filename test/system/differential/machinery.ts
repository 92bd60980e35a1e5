/** Families of scenarios about behaviour common to all kinds. */

import { applyScenarios } from './machinery/apply/apply-stories.ts';
import { ownershipScenarios } from './machinery/apply/ownerships.ts';
import { clientScenarios } from './machinery/clients.ts';
import { createScenarios } from './machinery/creates.ts';
import { definitionScenarios } from './machinery/definitions.ts';
import { deletionScenarios, graceScenarios } from './machinery/deletions.ts';
import { formScenarios } from './machinery/forms.ts';
import { listScenarios } from './machinery/lists.ts';
import { nameScenarios } from './machinery/names.ts';
import { patchScenarios } from './machinery/patches/patches.ts';
import { patchingScenarios } from './machinery/patches/patching.ts';
import { placeScenarios } from './machinery/places.ts';
import { podScenarios } from './machinery/pod-parts.ts';
import { requestScenarios } from './machinery/requests.ts';
import { scaleScenarios } from './machinery/scales.ts';
import { statusScenarios } from './machinery/statuses.ts';
import { beforeSubjects } from './machinery/subjects.ts';
import { updateScenarios } from './machinery/updates.ts';
import { watchScenarios } from './machinery/watches.ts';
import { writtenScenarios } from './machinery/written.ts';
import { definitionPages } from './pages/discovery.ts';
import type { Family, Scenario } from './runner/scenario.ts';

function* all(): Generator<Scenario> {
  yield* patchScenarios;
  yield* requestScenarios;
  yield* createScenarios();
  yield* updateScenarios();
  yield* patchingScenarios();
  yield* applyScenarios();
  yield* ownershipScenarios();
  yield* deletionScenarios();
  yield* graceScenarios();
  yield* statusScenarios();
  yield* scaleScenarios();
  yield* podScenarios();
  yield* listScenarios();
  yield* watchScenarios();
  yield* nameScenarios();
  yield* clientScenarios();
  yield* formScenarios();
  yield* placeScenarios();
  yield* writtenScenarios();
}

/** Behaviour common to all kinds: every verb with its options, valid and invalid bodies, and sequences of several. */
export const machinery: Family = {
  fixed: all,
  before: beforeSubjects,
  countedApart: true,
  masks: [
    [/a{58}[bcdfghjklmnpqrstvwxz2456789]{5}|(?<=^|")-[bcdfghjklmnpqrstvwxz2456789]{5}(?=$|")/g, '<generated>'],
    [/(?<=Bad_)[bcdfghjklmnpqrstvwxz2456789]{5}/g, '<generated>'],
    [
      /(?<=ResourceVersion in (?:record \(|object meta: )|ResourceVersion in (?:the precondition \(|precondition: ))\d{2,}/g,
      '<version>',
    ],
    [/(?<=Too large resource version: \d+, current: )\d+/g, '<version>'],
    // Objects embedded in texts, with members in Go's order.
    [/(?<=is missing in ')\{.*\}(?=')/g, '<object>'],
    [/(?<=Object 'Kind' is missing in '<object>' \()\{.*\.\.\.(?=\))/g, '<object>'],
    [/(?<=Invalid value: )"\{\\"(?:[^"\\]|\\.)*"/g, '<object>'],
  ],
};

/** Definitions and their objects. The time at which one is served differs between servers, so versions and uids are not told apart. */
export const definitions: Family = {
  fixed: () => [...definitionScenarios, ...definitionPages],
  ignored: ['uid', 'resourceVersion'],
};
