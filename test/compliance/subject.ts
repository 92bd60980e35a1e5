import type { Clock, Integration, WorkspaceSpec } from '../../sdk/index.ts';
import type { Cluster } from '../cluster/index.ts';

/** What a subject is made with: everything that takes time has to take it from this clock. */
export interface SubjectHost {
  readonly clock: Clock;
  /** The cluster that the workspace is in: for integrations that make things there. */
  readonly cluster: Cluster;
}

/** An integration to be proved, and a third party of its own: made anew for every test. */
export interface Subject {
  readonly integration: Integration;
  /** A workspace that asks for it. */
  readonly spec: WorkspaceSpec;
  /** Another spec, of which something else exists at the third party. Absent: changes are not tested. */
  readonly edited?: WorkspaceSpec;
  /** Everything that exists at the third party now, each thing in words that are the same in every run: `A www.example.com 10.0.0.1`. */
  remote(): readonly string[] | Promise<readonly string[]>;
  /** Makes the next change fail: refused, or carried out with its answer lost. Absent: failures are not tested. */
  readonly failNext?: (how: 'refused' | 'lost') => void;
  /** Texts that must never show in a workspace, its events or its annotations. @default none */
  readonly secrets?: readonly string[];
  /**
   * `true`: a crash may leave a question that only a person can answer (identity `opaque`; identity `key`, whose keys are lost with the journal).
   * Nothing may be made twice even so. @default false
   */
  readonly mayAsk?: boolean;
}

/** Makes a subject with an empty third party. */
export type SubjectFor = (host: SubjectHost) => Subject | Promise<Subject>;

/** `test` of AVA, node:test, Vitest, or whatever registers a title and a function. */
export type TestFunction = (title: string, run: (context?: unknown) => Promise<void>) => unknown;
