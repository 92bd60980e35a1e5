/** Interface of a code host: pull requests, their comments and commit statuses, and signed deliveries of webhooks. */

/** Pull request of a code host; its texts are untrusted. */
export interface PullRequest {
  readonly number: number;
  readonly isOpen: boolean;
  /** Id of its last commit: 40 or 64 hexadecimal digits. */
  readonly sha: string;
  /** Source branch. */
  readonly branch: string;
  /** True when the source branch is in another or a deleted repository. */
  readonly isFork: boolean;
  readonly labels: readonly string[];
  /** Wall clock of its last change, comments included, in ms. */
  readonly updatedAt: number;
}

/** Comment at a pull request or an issue. */
export interface PullRequestComment {
  readonly id: number;
  /** Number of the pull request or issue. */
  readonly number: number;
  /** Login of its author. */
  readonly author: string;
  readonly body: string;
  /** Wall clock of its last change by the host's clock, in ms. */
  readonly updatedAt: number;
}

/** Status of a commit, in its own context. */
export interface CommitStatus {
  readonly state: 'pending' | 'success' | 'failure';
  /** 140 characters at most. */
  readonly description: string;
  readonly url?: string | undefined;
}

/** Verified webhook delivery: the number of the pull request to check. */
export interface WebhookDelivery {
  /** Id, the same for each attempt; it is not signed. */
  readonly id: string;
  /** `owner/name` in lower case; at GitLab with all groups. */
  readonly repository: string;
  readonly number: number;
}

/** Request of a webhook as it came in. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Calls end with `signal`. All throw DefiniteError, ThrottledError, or another Error when the outcome is unknown. */
export interface CodeHost {
  /** Authority of the host, such as `github.com`. */
  readonly name: string;
  /** Texts to redact: token and secret. */
  readonly secrets: readonly string[];
  /** Addresses that it connects to, as `endpoints` of an integration names them. @default not known */
  readonly endpoints?: readonly string[];
  /** Lists the open pull requests of a repository, all pages. */
  pulls(repository: string, signal: AbortSignal): Promise<readonly PullRequest[]>;
  /** Reads one pull request; undefined when it does not exist or is not visible. */
  pull(repository: string, number: number, signal: AbortSignal): Promise<PullRequest | undefined>;
  /** Lists the comments of all open pull requests, and maybe others, that have changed since that wall clock in ms, oldest change first; of more than 3 000 the first. */
  commentsSince(repository: string, since: number, signal: AbortSignal): Promise<readonly PullRequestComment[]>;
  /** Reports whether a user may write to the repository. */
  mayWrite(repository: string, login: string, signal: AbortSignal): Promise<boolean>;
  /** Lists the comments of one pull request by the token's user, oldest first; none for a missing pull request. */
  ownComments(place: PullRequestPlace, signal: AbortSignal): Promise<readonly PullRequestComment[]>;
  /** Reads a comment; undefined for a deleted one. */
  comment(comment: CommentPlace, signal: AbortSignal): Promise<PullRequestComment | undefined>;
  createComment(place: PullRequestPlace, body: string, signal: AbortSignal): Promise<number>;
  editComment(comment: CommentPlace, body: string, signal: AbortSignal): Promise<void>;
  /** Deletes a comment; a missing one counts as deleted where the repository is visible. */
  deleteComment(comment: CommentPlace, signal: AbortSignal): Promise<void>;
  /** Reads the newest status of a commit in a context; undefined without one. */
  statusOf(commit: CommitPlace, signal: AbortSignal): Promise<CommitStatus | undefined>;
  setStatus(commit: CommitPlace, status: CommitStatus, signal: AbortSignal): Promise<void>;
  /**
   * Checks the signature of a request in constant time, then reads which pull request it is about. Undefined for an event that is of no interest.
   * @throws UnsignedDeliveryError when the signature is missing or wrong, or what was signed is not a delivery
   */
  delivery(request: WebhookRequest): Promise<WebhookDelivery | undefined>;
}

/** Pull request of a repository, `owner/name`; at GitLab with all groups. */
export interface PullRequestPlace {
  readonly repository: string;
  readonly number: number;
}

/** Comment of a pull request. */
export interface CommentPlace extends PullRequestPlace {
  readonly id: number;
}

/** Commit of a repository, and the context of its status. */
export interface CommitPlace {
  readonly repository: string;
  readonly sha: string;
  readonly context: string;
}

/** Thrown for a delivery that cannot be authenticated. */
export class UnsignedDeliveryError extends Error {
  static {
    UnsignedDeliveryError.prototype.name = 'UnsignedDeliveryError';
  }
}
