/** Hooks into what integrations do at third parties, for metrics and logs. */

/** Call to a third party that has ended: an attempt to change something, or a look at it. */
export interface OutsideCall {
  readonly integration: string;
  /** `task`: a guard of the integration's own; `observe`: a check for drift. */
  readonly operation: 'create' | 'update' | 'delete' | 'task' | 'observe';
  /** `refused`: nothing was done, for certain; `unknown`: it may have been done, or the answer was lost. */
  readonly outcome: 'success' | 'refused' | 'throttled' | 'unknown';
  readonly ms: number;
}

/** An attempt that was left unresolved was taken over from its holder. */
export interface Recovery {
  readonly integration: string;
  /**
   * `finished`: its outcome was written where its holder had left it; `restored`: its lost journal entry was; `searched`: it is looked for outside;
   * `repeated`: it is made again, which its identity makes safe; `asked`: a person has to decide.
   */
  readonly recovery: 'finished' | 'restored' | 'searched' | 'repeated' | 'asked';
}

/** Condition of a workspace, for counts. */
export interface CountedCondition {
  /** Type of a condition that an integration of the config keeps. */
  readonly condition: string;
  readonly status: string;
  /** Wall clock ms at which it took that status. */
  readonly since: number;
}

/** Open circuits of an integration's credentials. */
export interface CountedCircuits {
  readonly integration: string;
  readonly open: number;
  readonly halfOpen: number;
}

/** All workspaces of a process, as they are when asked. */
export interface CountedWorkspaces {
  /** Conditions that the integrations of the config keep. */
  readonly types: readonly string[];
  conditions(): Iterable<CountedCondition>;
  circuits(): readonly CountedCircuits[];
}

/** Observes what integrations do at third parties. An absent member costs nothing; none may throw. */
export interface OutsideObserver {
  /** A call to a third party has ended. */
  called?(call: OutsideCall): void;
  recovered?(recovery: Recovery): void;
  /** Something was found changed or removed outside. */
  drifted?(integration: string): void;
  /** Workspaces are followed; they may be asked about at any time. */
  followed?(workspaces: CountedWorkspaces): void;
}
