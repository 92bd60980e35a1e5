/** Hooks for the calls of integrations to third parties, for metrics and logs. */

/** Finished call to a third party: an attempt to change or to observe an external object. */
export interface OutsideCall {
  readonly integration: string;
  /** `task`: a guarded task of the integration; `observe`: a drift check. */
  readonly operation: 'create' | 'update' | 'delete' | 'task' | 'observe';
  /** `refused`: had no effect; `unknown`: may have had an effect, for example after a lost response. */
  readonly outcome: 'success' | 'refused' | 'throttled' | 'unknown';
  readonly ms: number;
}

/** Takeover of an unresolved attempt of another holder. */
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
  /** Called when a call to a third party has ended. */
  called?(call: OutsideCall): void;
  /** Called after a takeover. */
  recovered?(recovery: Recovery): void;
  /** Called when an external object was found changed or removed. */
  drifted?(integration: string): void;
  /** Called when the process starts to watch workspaces; their counts may be read at any time from then on. */
  followed?(workspaces: CountedWorkspaces): void;
}
