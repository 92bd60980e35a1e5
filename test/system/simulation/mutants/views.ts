/** Views of a workspace, and changes of its patches, that each hide what one protection of the sequencer looks at. */

import type { ProviderHost } from '../../../../sdk/host/index.ts';
import {
  type Client,
  claimOf,
  type GuardEntry,
  mirrorAnnotation,
  pointer,
  remove,
  type Workspace,
} from '../../../../sdk/index.ts';
import { FencingTokens } from '../../../../sdk/provider/host/fencing-tokens.ts';
import { rewriting } from './seams.ts';

/** Shows another value of a member of metadata to a caller, as a stack trace shows it; by default, none. */
const hidingFrom =
  (caller: RegExp, member: 'annotations' | 'finalizers', shown?: readonly string[]) =>
  (workspace: Workspace): Workspace => {
    const value = workspace.metadata[member];
    const metadata = Object.defineProperty({ ...workspace.metadata }, member, {
      enumerable: true,
      get: () => (caller.test(new Error().stack ?? '') ? shown : value),
    });
    return { ...workspace, metadata };
  };

/** Does not see that another integration of the condition still has its finalizer. */
export const careless = hidingFrom(/ isClaimed .*\n.* isLeaving /, 'finalizers');

/** Does not see that the finalizer of an integration was removed whose journal is lost. */
export const unnoticing = hidingFrom(/ isUnclaimedLoss /, 'finalizers', [claimOf('thing'), claimOf('other')]);

/** Hides status and annotations from a caller. */
const hidingRecordsFrom =
  (caller: RegExp) =>
  (workspace: Workspace): Workspace => {
    const get = () => (caller.test(new Error().stack ?? '') ? undefined : workspace.status);
    return Object.defineProperty(hidingFrom(caller, 'annotations')(workspace), 'status', { enumerable: true, get });
  };

/** Does not see what is recorded of an integration that is not requested and has no finalizer. */
export const abandoning = hidingRecordsFrom(/ isRecordedAnywhere (.*\n){1,3}.* movesOf /);

/** Does not see what is recorded of a requested integration without a finalizer before it may act. */
export const indifferent = hidingRecordsFrom(/ isRecordedAnywhere .*\n.* removedClaimOf /);

/** Does not see what a journal records as its condition is claimed again. */
export const blanking = hidingRecordsFrom(/ recordsSomething /);

/** Leaves the mirrors of former conditions. */
export const littering = hidingFrom(/ formerMirrorsOf /, 'annotations');

/** Takes no mirror for a record of a condition that has lost its journal. */
export const unrecorded = hidingFrom(/ hasRecords /, 'annotations');

/** Does not see by a mirror that a condition was claimed after its journal was written. */
export const forgettingClaims = hidingFrom(/ isClaimedSince /, 'annotations');

/** Returns the value of a member of the first mirror that has it. */
const inMirrors = ({ metadata }: Workspace, member: 'name' | 'namespace'): string | undefined =>
  Object.entries(metadata.annotations ?? {})
    .filter(([name]) => name.startsWith('external.'))
    .map(([, text]) => (JSON.parse(text) as { readonly [member: string]: string | undefined })[member])
    .find((value) => value !== undefined);

/** Names a workspace as its mirrors do, for the caller that compares the two. */
export function namedByMirrors(workspace: Workspace): Workspace {
  const isComparing = (): boolean => new Error().stack?.includes(' kindOf ') ?? false;
  const metadata = { ...workspace.metadata };
  for (const member of ['name', 'namespace'] as const) {
    const value = metadata[member];
    const get = () => (isComparing() ? (inMirrors(workspace, member) ?? value) : value);
    Object.defineProperty(metadata, member, { enumerable: true, get });
  }
  return { ...workspace, metadata };
}

/** Shows what a client answers as `shown`. */
export const showing =
  (shown: (workspace: Workspace) => Workspace) =>
  (client: Client): Client => {
    const ofAny = <T>(object: T): T => shown(object as unknown as Workspace) as unknown as T;
    return {
      ...client,
      get: async (...args) => ofAny(await client.get(...args)),
      patch: async (...args) => ofAny(await client.patch(...args)),
    };
  };

/** Observes what a journal that was put back records, and searches for nothing else. */
export function unsearching(host: ProviderHost): ProviderHost {
  class Unsearching extends FencingTokens {
    override checkedEntry(workspace: Workspace, type: string): GuardEntry | undefined {
      const written = workspace.status?.guards?.[type];
      const trusted = super.checkedEntry(workspace, type);
      return trusted?.lost && written ? { ...written, ambiguous: true, lost: true } : trusted;
    }
  }
  return { ...host, fencingTokens: new Unsearching() };
}

/** Remembers no tokens, as a process that has started since. */
export function trustingTokens(host: ProviderHost): ProviderHost {
  class Trusting extends FencingTokens {
    override see = (): void => undefined;
  }
  return { ...host, fencingTokens: new Trusting() };
}

/** Removes a claim with the mirror of its condition, also where another integration claims that. */
export const heirless = rewriting((operations) => {
  const isRelease = operations.some(({ op, path }) => op === 'remove' && path.startsWith('/metadata/finalizers/'));
  const rest = operations.filter(({ path }) => !path.startsWith('/metadata/annotations'));
  return isRelease ? [...rest, remove(pointer('metadata', 'annotations', mirrorAnnotation('Thing')))] : operations;
});
