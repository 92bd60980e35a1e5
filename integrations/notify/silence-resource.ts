/** Silence of an environment, as an external resource. */

import { DefiniteError, type ExternalResource, externalResource } from '../../sdk/index.ts';
import type { CheckedSilenceOptions } from './silence-options.ts';
import type { FoundSilence, SilencedLabel } from './silences.ts';

/** Desired silence. */
export interface WantedSilence {
  readonly text: string;
  /** Sorted by name. */
  readonly labels: readonly SilencedLabel[];
}

/** Silence with the time at which it ends by itself. */
export interface SilenceId {
  readonly id: string;
  /** RFC 3339 */
  readonly until: string;
}

/** Comment taken apart. */
interface CommentParts {
  readonly text: string;
  readonly mark: string;
  readonly until: string;
}

const commentOf = ({ text, mark, until }: CommentParts): string => `${text} (until ${until}, se.quencer.io ${mark})`;

/** Matches the end of a comment. */
const ending = / \(until ([0-9TZ:.-]{20,30}), se\.quencer\.io ([^\s()]{1,600})\)$/;

/** Takes a comment apart; undefined when it bears no mark. */
function partsOf({ comment }: Pick<FoundSilence, 'comment'>): CommentParts | undefined {
  const found = ending.exec(comment.slice(-700));
  if (found === null) return undefined;
  const [whole, until = '', mark = ''] = found;
  return { text: comment.slice(0, -whole.length), mark, until };
}

/** Reports whether a silence was ended before its time. */
const isCutShort = ({ isActive, endsAt }: FoundSilence, { until }: Pick<SilenceId, 'until'>): boolean =>
  !isActive && endsAt < Date.parse(until);

const sorted = (labels: readonly SilencedLabel[]): readonly SilencedLabel[] =>
  labels.toSorted((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Returns the silence of one workspace. It expires after `maxDuration`, and is then neither prolonged nor created again: only a silence that was ended
 * earlier counts as deleted.
 */
export function silenceResource(options: CheckedSilenceOptions): ExternalResource<WantedSilence, SilenceId> {
  const { operations: silences, clock, maxDuration, listLag, driftInterval, createdBy, deadline } = options;
  return externalResource<WantedSilence, SilenceId>({
    label: 'silence',
    identity: 'tag',
    driftInterval,
    listLagMs: listLag,
    maxRequestMs: deadline,
    async find({ mark }, { signal }) {
      for (const silence of await silences.list(signal)) {
        const parts = silence.isActive ? partsOf(silence) : undefined;
        if (parts?.mark === mark) return { id: silence.id, until: parts.until };
      }
      return undefined;
    },
    async create({ text, labels }, { owner: { mark }, signal }) {
      const endsAt = clock.now() + maxDuration;
      const until = new Date(endsAt).toISOString();
      const comment = commentOf({ text, mark, until });
      return { id: { id: await silences.create({ labels, comment, createdBy, endsAt }, signal), until } };
    },
    async observe(id, { signal }) {
      const silence = await silences.read(id.id, signal);
      if (silence === undefined) return Date.parse(id.until) > clock.now() ? undefined : { state: {} };
      if (isCutShort(silence, id)) return undefined;
      const { text, mark } = partsOf(silence) ?? { text: silence.comment, mark: 'no owner' };
      return { state: { text, labels: sorted(silence.labels) }, mark };
    },
    async replaceMark(id, { owner: { mark }, signal }) {
      const silence = await silences.read(id.id, signal);
      const parts = silence && partsOf(silence);
      if (silence === undefined || parts === undefined || isCutShort(silence, id))
        throw new DefiniteError(`silence ${id.id} not found`);
      if (silence.isActive && parts.mark !== mark)
        await silences.comment(silence, commentOf({ ...parts, mark }), signal);
    },
    async delete({ id }, { signal }) {
      const silence = await silences.read(id, signal);
      if (silence?.isActive) await silences.expire(id, signal);
    },
  });
}
