/** Contract of the database server: the operations that the integration needs, each of them atomic unless it says otherwise. */

/** Role of a workspace. */
export interface FoundRole {
  /** Comment on the role. */
  readonly mark: string | undefined;
  readonly canLogin: boolean;
  readonly connectionLimit: number;
}

/** Database of a workspace. */
export interface FoundDatabase {
  /** Comment on the database. */
  readonly mark: string | undefined;
  /** True from its creation until it is handed over, when the administrator becomes its owner. */
  readonly ownedByRole: boolean;
  /** True when the role may connect. */
  readonly granted: boolean;
  /** True when any role may connect. */
  readonly isPublic: boolean;
  /** ms; 0 for none; the setting's text when it is not a whole number of ms. */
  readonly statementTimeout: number | string;
}

/** Role and database of one name, as far as they exist. */
export interface FoundObjects {
  readonly role: FoundRole | undefined;
  readonly database: FoundDatabase | undefined;
}

/** Common arguments: the name of role and database, and the mark that the role has to bear. */
export interface Ask {
  readonly name: string;
  readonly mark: string;
  readonly signal: AbortSignal;
}

/**
 * Server on which databases are kept. A change about a role or a database with another mark is a DefiniteError without effect; PostgreSQL's own errors
 * have a `code`, its SQLSTATE.
 */
export interface PostgresServer {
  /** Returns the name of the role with this mark. */
  findRole(ask: Pick<Ask, 'mark' | 'signal'>): Promise<string | undefined>;
  /** Reads role and database of a name. */
  read(ask: Pick<Ask, 'name' | 'signal'>): Promise<FoundObjects>;
  /**
   * Creates a role that cannot log in, with its mark. Where a database bears the mark already, the role gets that database's name.
   * @returns the name. @throws an error with the code 42710 when a role of that name exists
   */
  createRole(ask: Ask & { readonly verifier: string; readonly connectionLimit: number }): Promise<string>;
  /** Creates the database from a template, owned by the role, without connections. @throws an error with the code 42P04 when it exists */
  createDatabase(ask: Ask & { readonly template: string }): Promise<void>;
  /**
   * Marks the database, makes the administrator its owner, takes the rights of PUBLIC away, lets the role connect, and sets the statement timeout in
   * ms. Means the same when repeated.
   */
  handOver(ask: Ask & { readonly statementTimeout: number }): Promise<void>;
  /** Makes the role the owner of the schema `public` and of the template's objects. Only while the role cannot log in. */
  giveObjects(ask: Ask): Promise<void>;
  /** Enables the role's login, with a connection limit. */
  openRole(ask: Ask & { readonly connectionLimit: number }): Promise<void>;
  /** Disables the role's login, if it exists. */
  closeRole(ask: Ask): Promise<void>;
  setPassword(ask: Ask & { readonly verifier: string }): Promise<void>;
  /** Replaces one of the `former` marks on role and database. */
  replaceMark(ask: Ask & { readonly former: readonly string[] }): Promise<void>;
  /** Drops the database, if it exists. @throws an error with the code 55006 while it is in use, unless `force` ends its connections */
  dropDatabase(ask: Ask & { readonly force: boolean }): Promise<void>;
  /** Drops the role, if it exists. @throws an error with the code 2BP01 while it owns something elsewhere */
  dropRole(ask: Ask): Promise<void>;
}
