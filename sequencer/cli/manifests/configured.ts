/** Config of an operator as a ConfigMap, and its credentials as Secrets by reference. */

import { createHash } from 'node:crypto';
import type { Installed, Manifest } from './manifest.ts';

/** Config file of an operator. */
export interface ConfigFile {
  /** Its name, without a folder. */
  readonly name: string;
  readonly text: string;
}

/** Working directory of the image, so that a config below it resolves the packages installed there. */
export const imageFolder = '/app';

const folder = 'config';
const nameOf = ({ name }: Installed): string => `${name}-config`;

/** Returns the ConfigMap with the config file. */
export const configMap = (installed: Installed, { name, text }: ConfigFile): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: nameOf(installed), namespace: installed.namespace },
  data: { [name]: text },
});

/** Fields of a Deployment that mount a config, by the object that they are members of. */
export interface ConfiguredFields {
  readonly annotations: object;
  readonly pod: object;
  readonly container: object;
  readonly args: readonly string[];
}

/** Returns the fields that mount the config; the digest of its text replaces the pods when it changes. Without a config it is in the image. */
export function configuredFields(installed: Installed, config: ConfigFile | undefined): ConfiguredFields {
  if (config === undefined) return { annotations: {}, pod: {}, container: {}, args: [] };
  const digest = createHash('sha256').update(config.text).digest('hex');
  return {
    annotations: { annotations: { 'checksum/config': digest } },
    pod: { volumes: [{ name: folder, configMap: { name: nameOf(installed) } }] },
    container: {
      workingDir: imageFolder,
      volumeMounts: [{ name: folder, mountPath: `${imageFolder}/${folder}`, readOnly: true }],
    },
    args: [`--config=${folder}/${config.name}`],
  };
}

/** Returns the container fields that set the environment from these Secrets; a missing Secret prevents the pod from starting. */
export const credentialFields = (secrets: readonly string[]): object =>
  secrets.length === 0 ? {} : { envFrom: secrets.map((name) => ({ secretRef: { name } })) };
