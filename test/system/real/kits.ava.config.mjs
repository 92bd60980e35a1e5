import real from './ava.config.mjs';

/**
 * Compliance kits in real time, which wait for leases most of the time: several files at once, one case at a time in each.
 * `npx ava --config test/system/real/kits.ava.config.mjs`, after `npx node test/system/real/build.ts`.
 */
export default { ...real, files: ['test/**/compliance*.real.ts'], serial: false, concurrency: 6 };
