/** Messages from the server to the page: plain JSON, without secrets. */

/** Condition of a workspace in the list. */
export interface RowCondition {
  readonly type: string;
  readonly status: string;
}

/** Workspace in the list. */
export interface WorkspaceRow {
  /** `namespace/name`. */
  readonly key: string;
  readonly phase: string;
  /** Reason of its first condition that failed or, without one, of Ready. */
  readonly reason: string;
  readonly conditions: readonly RowCondition[];
  readonly deleting: boolean;
  readonly paused: boolean;
  /** RFC 3339. */
  readonly created: string;
}

/** Journal entry of a condition, without its input. */
export interface JournalView {
  readonly phase: string;
  readonly op: string;
  readonly key: string;
  readonly attempt: number | undefined;
  readonly token: number;
  readonly holder: string;
  readonly since: string | undefined;
  readonly leaseSeconds: number | undefined;
  readonly beat: number | undefined;
  /** Time at which this process saw the entry change last; ms since 1970. */
  readonly changeSeenAt: number | undefined;
  readonly cause: string | undefined;
  /** Attempts without a clean end, as sentences. */
  readonly doubts: readonly string[];
  /** External ids as JSON. */
  readonly ids: readonly string[];
}

/** Output of a condition: its value, or the reference to a Secret. */
export interface OutputView {
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
}

/** Time in which a condition had one status; ms since 1970. */
export interface StatusSpan {
  readonly status: string;
  readonly reason: string;
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
}

/** Condition of one workspace. */
export interface ConditionView {
  readonly type: string;
  /** Name of its integration; undefined when none is registered for it. */
  readonly integration: string | undefined;
  readonly status: string;
  readonly reason: string;
  /** Time of the last change of its status, RFC 3339. */
  readonly since: string;
  /** Conditions that must be complete before. */
  readonly after: readonly string[];
  /** Those for which it waits now. */
  readonly waitsFor: readonly string[];
  /** Next move of the sequencer, in words. */
  readonly next: string;
  readonly policy: string | undefined;
  readonly claimed: boolean;
  readonly journal: JournalView | undefined;
  readonly outputs: readonly OutputView[];
  readonly spans: readonly StatusSpan[];
}

/** Kubernetes event about a workspace. */
export interface EventView {
  /** RFC 3339. */
  readonly at: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  /** Component that wrote it. */
  readonly from: string;
}

/** One workspace. */
export interface WorkspaceView extends WorkspaceRow {
  readonly uid: string;
  readonly host: string;
  readonly className: string;
  readonly generation: number;
  readonly conditions: readonly ConditionView[];
  /** Plan from the records in the workspace, without calls to third parties; a text explains a missing plan. */
  readonly plan: readonly PlannedRow[] | string;
  /** Latest first; undefined when the viewer may not list events. */
  readonly events: readonly EventView[] | undefined;
}

/** Rate limiter of one credential. */
export interface LimitView {
  readonly integrations: readonly string[];
  readonly credential: string;
  /** State of its circuit breaker. */
  readonly breaker: string;
  /** Calls that wait for a permit. */
  readonly waiting: number;
  /** ms until the next call is allowed. */
  readonly wait: number;
}

/** State of the sequencer's process. */
export interface ProcessView {
  readonly synced: boolean;
  readonly ready: number;
  readonly delayed: number;
  readonly held: number;
  readonly running: number;
  readonly runs: number;
  readonly failures: number;
  readonly failing: number;
  readonly limits: readonly LimitView[];
  readonly problems: readonly string[];
}

/** Object of the in-memory cluster, without its content. */
export interface ObjectView {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** Phase or the like, if it has one. */
  readonly state: string;
}

/** Active fault of the in-memory cluster. */
export interface FaultView {
  readonly sentence: string;
  readonly hits: number;
}

/** Change that an integration would make. */
export interface PlannedRow {
  readonly condition: string;
  readonly action: string;
  readonly what: string;
  /** True when the policy forbids it. */
  readonly heldBack: boolean;
}

/** Response of an action. */
export interface PageAnswer {
  readonly message: string;
  readonly plan?: readonly PlannedRow[];
}

/** Viewer and mode, the first message of a live stream. */
export interface SessionView {
  readonly viewer: string;
  readonly mode: 'dev' | 'run';
  /** Names of the control actions, in order. */
  readonly controls: readonly string[];
  /** True if changes can be planned. */
  readonly plans: boolean;
  /** Clock of the server, ms since 1970. */
  readonly now: number;
}

/** Messages of a live stream by event name. */
export interface LiveMessages {
  readonly session: SessionView;
  /** Changed and deleted workspaces; `reset` is true in the first message, `more` while the first list continues. */
  readonly rows: {
    readonly reset: boolean;
    readonly more: boolean;
    readonly changed: readonly WorkspaceRow[];
    readonly gone: readonly string[];
  };
  /** Requested workspace; null when it does not exist or the viewer may not see it. */
  readonly workspace: WorkspaceView | null;
  readonly process: ProcessView;
  readonly objects: { readonly objects: readonly ObjectView[]; readonly faults: readonly FaultView[] };
}
