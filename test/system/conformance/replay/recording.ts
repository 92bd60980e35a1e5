/** Reads the recorded cases. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A JSON object. */
export type Json = { [name: string]: unknown };

/** A recorded request. */
export interface RecordedRequest {
  readonly method?: string;
  readonly path: string;
  /** Null removes a default header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly bodyBase64?: string;
  readonly bodyRepeat?: {
    readonly prefix: string;
    readonly text: string;
    readonly times: number;
    readonly suffix: string;
  };
}

/** The real server's answer; see README.md. */
export interface RecordedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly bodyMatch?: 'contains';
  readonly parts?: Readonly<Record<string, unknown>>;
  readonly absent?: readonly string[];
  readonly length?: number;
  readonly itemsSorted?: boolean;
  readonly text?: string;
}

/** Condition until which a request is repeated. */
export interface Until {
  readonly status?: number;
  readonly path?: string;
  readonly equals?: unknown;
  readonly exists?: boolean;
  readonly length?: number;
  readonly includes?: string;
}

/** One step of a case; its members determine its kind. */
export interface Step {
  readonly request?: RecordedRequest;
  readonly response?: RecordedResponse;
  readonly capture?: Readonly<Record<string, string>>;
  readonly watch?: RecordedRequest & { readonly id: string };
  readonly collect?: string;
  readonly events?: readonly unknown[];
  readonly closed?: boolean;
  readonly count?: number;
  readonly sorted?: boolean;
  readonly types?: boolean;
  readonly only?: readonly string[];
  readonly bookmarks?: 'end' | 'once';
  readonly bodyMatch?: 'contains';
  readonly waitFor?: { readonly path: string; readonly until: Until; readonly request?: Partial<RecordedRequest> };
  readonly same?: readonly [string, string];
  readonly sleepMs?: number;
  readonly control?: 'compact';
}

/** A recorded case. */
export interface Case {
  readonly id: string;
  readonly title: string;
  readonly needs?: readonly string[];
  /** `false`: it needs no namespace of its own. */
  readonly namespace?: boolean;
  /** managedFields are compared. */
  readonly managedFields?: boolean;
  readonly steps: readonly Step[];
}

const read = (...path: readonly string[]): Json =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', ...path), 'utf8'));

/** Returns the names of all families. */
export const families = (): readonly string[] =>
  readdirSync(join(import.meta.dirname, '../cases')).map((file) => file.replace('.json', ''));

/** Returns the cases of a family in the order of their recording. */
export const casesOf = (family: string): readonly Case[] => read('cases', `${family}.json`).cases as Case[];

/** Returns the definitions that a case needs. */
export const definitionsFor = ({ needs = [] }: Case): readonly Json[] =>
  needs
    .filter((need) => need.startsWith('crd:'))
    .map((need) => read('fixtures', `crd-${need.slice('crd:'.length)}.json`));
