/** Modules of Node that are loaded on first use: loading them would take a seventh of the time in which the SDK is imported. */

export const nodeCrypto = (): typeof import('node:crypto') => process.getBuiltinModule('node:crypto');
export const nodeNet = (): typeof import('node:net') => process.getBuiltinModule('node:net');
export const nodeUtil = (): typeof import('node:util') => process.getBuiltinModule('node:util');
