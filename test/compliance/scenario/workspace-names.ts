/** Names of the workspaces of scenarios. */

/** Name of the workspace under test. */
export const main = 'subject';

/** Argument for the workspace of the same name in another namespace. */
export const namesake = 'its namesake';
