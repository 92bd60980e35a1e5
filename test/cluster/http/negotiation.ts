import { failure, type StatusError } from '../status.ts';

/** How an answer is to look. */
export interface Form {
  /** A projection instead of the object itself. */
  readonly as: 'Table' | 'PartialObjectMetadata' | undefined;
  /** The version of the projection: `v1` or `v1beta1`. */
  readonly version: string;
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
    return { type: type.toLowerCase(), parameters, index, weight: Number(parameters.q ?? 1) };
  });
  return ranges.filter(({ type }) => type !== '').sort((a, b) => b.weight - a.weight || a.index - b.index);
}

const media: ReadonlySet<string> = new Set(['application/json', 'application/yaml', 'application/*', '*/*']);

const projections: Readonly<Record<string, Form['as']>> = {
  Table: 'Table',
  PartialObjectMetadata: 'PartialObjectMetadata',
  PartialObjectMetadataList: 'PartialObjectMetadata',
};

const offered = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** 406: built-in kinds have words of their own for media types that nobody offers. */
const notAcceptable = (isCustom: boolean, ranges: readonly MediaRange[]): StatusError =>
  isCustom || ranges.some(({ type }) => media.has(type))
    ? failure('NotAcceptable', `only the following media types are accepted: ${offered.join(', ')}`)
    : failure('NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${offered.join(', ')}`, {});

/** What is asked about. */
export interface Asked {
  readonly isCustom: boolean;
  /** Whether it can be printed; reviews cannot. */
  readonly hasTable: boolean;
}

/** Chooses the form of an answer; JSON when nothing is asked for. Throws the server's 406. */
export function formOf(accept: string | undefined, { isCustom, hasTable }: Asked): Form {
  const plain: Form = { as: undefined, version: 'v1' };
  if (accept === undefined || accept === 'application/json' || accept.trim() === '') return plain;
  const ranges = mediaRangesOf(accept);
  for (const { type, parameters } of ranges) {
    if (!media.has(type)) continue;
    const { as, g = 'meta.k8s.io', v = 'v1' } = parameters;
    if (as === undefined) return plain;
    const projection = projections[as];
    if (projection === 'Table' && !hasTable) continue;
    if (projection !== undefined && g === 'meta.k8s.io' && (v === 'v1' || v === 'v1beta1')) {
      return { as: projection, version: v };
    }
  }
  throw notAcceptable(isCustom, ranges);
}
