import { failure, type StatusError } from '../status.ts';
import type { ApiRequest } from './message.ts';

/** How an answer is to look. */
export interface Form {
  /** A projection instead of the object itself. */
  readonly as: 'Table' | 'PartialObjectMetadata' | undefined;
  /** The version of the projection: `v1` or `v1beta1`. */
  readonly version: string;
  /** Whether the projection is asked for by the name of its list, which no single object can be. */
  readonly isList?: boolean;
}

/** What an answer shows. */
export interface Shown {
  readonly isCustom: boolean;
  /** Whether it can be printed; reviews cannot. */
  readonly hasTable: boolean;
  readonly of: 'object' | 'list' | 'watch';
}

interface MediaRange {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The media ranges of an Accept header, the most wanted first. */
export function mediaRangesOf(accept: string): readonly MediaRange[] {
  const ranges = accept.split(',').map((part, index) => {
    const [type = '', ...rest] = part.split(';').map((piece) => piece.trim());
    const parameters = Object.fromEntries(rest.map((piece) => piece.split('=', 2) as [string, string]));
    return { type, parameters, index, weight: Number(parameters.q ?? 1) };
  });
  return ranges.filter(({ type }) => type !== '').sort((a, b) => b.weight - a.weight || a.index - b.index);
}

const media: ReadonlySet<string> = new Set(['application/json', 'application/yaml', '*/*']);

const projections: Readonly<Record<string, Form['as']>> = {
  Table: 'Table',
  PartialObjectMetadata: 'PartialObjectMetadata',
  PartialObjectMetadataList: 'PartialObjectMetadata',
};

const offered = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

const streams = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

/** 406 of media types that are there, but not in that form. */
const onlyThese = (types: readonly string[]): StatusError =>
  failure('NotAcceptable', `only the following media types are accepted: ${types.join(', ')}`);

/** 406 of media types that nobody offers. */
const noneOf = (types: readonly string[]): StatusError =>
  failure('NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`, {});

/** 406: built-in kinds have words of their own for media types that nobody offers. */
function notAcceptable({ isCustom, of }: Shown, ranges: readonly MediaRange[]): StatusError {
  if (isCustom || ranges.some(({ type }) => media.has(type))) return onlyThese(offered);
  return noneOf(of === 'object' ? offered : [...offered, ...streams]);
}

/** Whether nothing else is taken than what a page has. */
const isOffered = (accept: string, types: ReadonlySet<string>): boolean =>
  accept.trim() === '' || mediaRangesOf(accept).some(({ type }) => types.has(type));

const onlyJson = new Set(['application/json', '*/*']);
const discoverable = new Set([...media, 'application/vnd.kubernetes.protobuf']);
const ofGroupPages = new Set([...discoverable, 'application/*']);

/** Throws the server's 406 when a page that is JSON only is wanted otherwise. */
export function checkJsonPage({ headers: { accept = '' } }: ApiRequest): void {
  if (!isOffered(accept, onlyJson)) throw noneOf(['application/json']);
}

/** Throws the server's 406 when a page of legacy discovery is wanted otherwise; those of groups have words of their own. */
export function checkDiscoveryPage({ headers: { accept = '' } }: ApiRequest, ofGroups: boolean): void {
  const types = ofGroups ? ofGroupPages : discoverable;
  if (!isOffered(accept, types)) throw ofGroups ? onlyThese(offered) : noneOf(offered);
  if (accept.trim() === '') return;
  const isPlain = ({ type, parameters: { as, stream = 'watch' } }: MediaRange) =>
    types.has(type) && as === undefined && stream === 'watch';
  if (!mediaRangesOf(accept).some(isPlain)) throw onlyThese(offered);
}

/** Chooses the form of an answer; JSON when nothing is asked for. Throws the server's 406. */
export function formOf(accept: string | undefined, shown: Shown): Form {
  const plain: Form = { as: undefined, version: 'v1' };
  if (accept === undefined || accept === 'application/json' || accept.trim() === '') return plain;
  const ranges = mediaRangesOf(accept);
  for (const { type, parameters } of ranges) {
    if (!media.has(type)) continue;
    const { as, g, v, stream = 'watch' } = parameters;
    if (stream !== 'watch') continue;
    if (as === undefined && shown.of === 'watch' && type === 'application/yaml') throw onlyThese(streams);
    if (as === undefined) return plain;
    const projection = projections[as];
    if (projection === 'Table' && !shown.hasTable) continue;
    if (projection !== undefined && g === 'meta.k8s.io' && (v === 'v1' || v === 'v1beta1')) {
      return { as: projection, version: v, ...(as.endsWith('List') && { isList: true }) };
    }
  }
  throw notAcceptable(shown, ranges);
}
