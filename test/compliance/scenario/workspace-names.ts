/** Names of the workspaces of scenarios, and of their namespaces. */

/** Name of the workspace under test. */
export const main = 'subject';

/** Argument for the workspace of the same name in another namespace. */
export const namesake = 'its namesake';

/** Namespace of the workspaces. */
export const mainNamespace = 'scenario';

const suffix = 'elsewhere';

/** Another namespace, for the {@link namesake}. */
export const otherNamespace = `${mainNamespace}-${suffix}`;

/** Workspace whose namespace and name, joined by a dash, are those of the {@link namesake}. */
export const joinedAlike = `${suffix}-${main}`;
