/** Protocol `hooks/v1`: responses of each function, and their validation by the published JSON Schema. */

import { jsonShape } from './json-shape.ts';

/** Version of the protocol, in each request. */
export const hooksProtocol = 'hooks/v1';

type JsonObject = Readonly<Record<string, unknown>>;

/** Description of a server. */
export interface HooksDescription {
  readonly identity: 'name' | 'tag' | 'key' | 'opaque';
  readonly functions: readonly ('find' | 'findAll' | 'observe' | 'update' | 'secretOf' | 'replaceMark')[];
  readonly validForMs?: number;
  readonly label?: string;
  /** Only of a server that is started to be proved. */
  readonly testing?: {
    readonly wanted: JsonObject;
    readonly edited?: JsonObject;
    readonly sameName?: 'exclusive' | 'separate';
  };
}

/** Responses of a server by function. */
export interface HooksAnswers {
  readonly describe: HooksDescription;
  readonly find: { readonly id: JsonObject | null };
  readonly findAll: { readonly things: readonly { readonly slot: string; readonly id: JsonObject }[] };
  readonly create: {
    readonly id: JsonObject;
    readonly secret?: Readonly<Record<string, string>>;
    readonly ready?: boolean;
    readonly upToDate?: boolean;
  };
  readonly observe: { readonly state: JsonObject | null; readonly ready?: boolean; readonly mark?: string };
  readonly update: Readonly<Record<string, never>>;
  readonly secretOf: { readonly secret: Readonly<Record<string, string>> };
  readonly replaceMark: Readonly<Record<string, never>>;
  readonly delete: { readonly gone: boolean };
  readonly testList: { readonly things: readonly { readonly id: string; readonly what: string }[] };
  readonly testDrift: Readonly<Record<string, never>>;
  readonly testReset: Readonly<Record<string, never>>;
}

/** Refusal of a server: the body of a response with a status from 400. */
export interface HooksRefusal {
  /** `none`: the request had no effect. */
  readonly effect: 'none' | 'unknown';
  readonly message: string;
  readonly reason?: 'exists' | 'unknown-function';
}

/** Body of a request. */
export type HooksRequest = JsonObject & { readonly protocol: string; readonly function: string };

/** Published JSON Schema with the definitions of all requests and responses. */
const loadSchema = async () => (await import('./hooks.schema.json', { with: { type: 'json' } })).default;

/** Describes the mistake in a value by a definition of the schema, such as `createAnswer`; undefined for a valid one. */
export type MistakeInMessage = (definition: string, value: unknown) => Promise<string | undefined>;

/** Creates a check of messages by the schema, which caches compiled definitions. */
export function messageCheck(): MistakeInMessage {
  const shapes = new Map<string, ReturnType<typeof jsonShape>>();
  const compiled = async (definition: string) => {
    const { $schema, $defs } = await loadSchema();
    return jsonShape({ $schema, $ref: `#/$defs/${definition}`, $defs });
  };
  return async (definition, value) => {
    const shape = shapes.get(definition) ?? compiled(definition);
    shapes.set(definition, shape);
    return (await shape)(value);
  };
}
