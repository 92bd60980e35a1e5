/** Write of a workspace that the API server has refused, classified for metrics. */

/** Write of a workspace that the API server has refused: the classes of the write and of the response. */
export interface RefusedWrite {
  /**
   * - `intent`: journal entry that starts an attempt
   * - `beat`: heartbeat that renews the lease of an attempt
   * - `checkpoint`: ids that are recorded before the end of an attempt
   * - `outcome`: end of an attempt in the journal, or ids that are recorded after it
   * - `mirror`: annotation with a copy of the ids
   * - `claim`, `release`: addition or removal of a finalizer
   * - `condition`: any other field of the status
   * - `other`: any other write
   */
  readonly write: 'intent' | 'outcome' | 'beat' | 'checkpoint' | 'mirror' | 'claim' | 'release' | 'condition' | 'other';
  /**
   * Class of the response by its HTTP status. `policy`: a 422 although the tests of the JSON patch hold, so that an admission policy, a quota or the schema
   * refuses the write.
   */
  readonly code: '4xx' | '5xx' | 'policy';
}
