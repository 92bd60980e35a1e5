/** Contract of the storage server: the operations that the integration needs. */

/** Bucket of a workspace. */
export interface FoundBucket {
  /** Tag that names its owner. */
  readonly mark: string | undefined;
  /** True while new versions of objects are kept beside the former ones. */
  readonly versioning: boolean;
  /** Days after which objects expire; 0 for never. */
  readonly expireAfterDays: number;
}

/** User that may use one bucket. */
export interface FoundUser {
  /** Tag that names its owner. */
  readonly mark: string | undefined;
  /** Bucket that the user may read and write; empty when its policy says anything else. */
  readonly bucket: string;
}

/** Access key of a user. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Common arguments: the name of a bucket or user, and the mark that it has to bear. */
export interface Ask {
  readonly name: string;
  readonly mark: string;
  readonly signal: AbortSignal;
}

/**
 * Server on which buckets are kept, and its users. A change about what bears another mark, or none, is a DefiniteError without effect; errors of the
 * server itself have its code as `name`.
 */
export interface S3Server {
  /** Reads a bucket; undefined without one. */
  readBucket(ask: Pick<Ask, 'name' | 'signal'>): Promise<FoundBucket | undefined>;
  /**
   * Creates a bucket with its mark in one request. One of that name is left as it is, unless it is of the same account, without any tag and empty: an
   * earlier attempt at a server that takes no tags with the creation has begun that. @throws an error named BucketAlreadyExists or
   * BucketAlreadyOwnedByYou when there is one
   */
  createBucket(ask: Ask): Promise<void>;
  /** Sets versioning, and the rule by which objects expire; other rules stay. Means the same when repeated. */
  configureBucket(ask: Ask & Pick<FoundBucket, 'versioning' | 'expireAfterDays'>): Promise<void>;
  /** Deletes objects with all their versions and unfinished uploads, as many as a bounded number of requests takes. @returns whether some may be left */
  emptyBucket(ask: Ask): Promise<'empty' | 'more'>;
  /** Deletes the bucket, if it exists. @throws an error named BucketNotEmpty for a bucket that is not empty */
  deleteBucket(ask: Ask): Promise<void>;
  /** Reads a user; undefined without one. */
  readUser(ask: Pick<Ask, 'name' | 'signal'>): Promise<FoundUser | undefined>;
  /** Creates a user with its mark, without rights and keys. @throws an error named EntityAlreadyExistsException when it exists */
  createUser(ask: Ask): Promise<void>;
  /** Sets the user's policy, which allows reads and writes of one bucket only. */
  allowUser(ask: Ask & { readonly bucket: string }): Promise<void>;
  /** Replaces all access keys of the user by a new one. */
  newKey(ask: Ask): Promise<AccessKey>;
  /** Deletes the keys and the policy of the user, if it exists. */
  closeUser(ask: Ask): Promise<void>;
  /** Deletes the user with its keys and its policy, if it exists. */
  deleteUser(ask: Ask): Promise<void>;
}
