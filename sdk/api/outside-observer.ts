/** Hooks for the calls of integrations to third parties, for metrics and logs. */

/** Finished call to a third party: an attempt to change or to observe an external object. */
export interface OutsideCall {
  readonly integration: string;
  /** `task`: a guard of the integration's own; `observe`: a check for drift. */
  readonly operation: 'create' | 'update' | 'delete' | 'task' | 'observe';
  /** `refused`: certainly without an effect; `unknown`: possibly with an effect, for example after a lost response. */
  readonly outcome: 'success' | 'refused' | 'throttled' | 'unknown';
  readonly ms: number;
}

/** An unresolved attempt of another holder was taken over. */
export interface Recovery {
  readonly integration: string;
  /**
   * `finished`: its recorded outcome was completed; `restored`: its lost journal entry was restored; `searched`: its external object is looked up;
   * `repeated`: it is called again, which its identity makes safe; `asked`: a person has to decide.
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

/** Current state of all workspaces of a process. */
export interface CountedWorkspaces {
  /** Conditions that the integrations of the config keep. */
  readonly types: readonly string[];
  conditions(): Iterable<CountedCondition>;
  circuits(): readonly CountedCircuits[];
}

/** Observer of the calls of integrations to third parties. An absent member has no cost; members must not throw. */
export interface OutsideObserver {
  /** A call to a third party has ended. */
  called?(call: OutsideCall): void;
  recovered?(recovery: Recovery): void;
  /** Drift was found: an external object was changed or removed. */
  drifted?(integration: string): void;
  /** The process watches workspaces; their counts may be read at any time. */
  followed?(workspaces: CountedWorkspaces): void;
}
