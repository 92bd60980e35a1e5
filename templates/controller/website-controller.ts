/** Controller of Websites. */

import { type Client, ConfigMap, createInformerController } from 'workspace-sequencer/sdk';
import { Website } from './website.ts';
import { reconcileWebsite } from './website-reconciler.ts';

/** Creates the controller: it runs the reconciler when a Website, or a ConfigMap that one owns, has changed. */
export const createWebsiteController = (client: Client) =>
  createInformerController({ client, kind: Website, owns: [ConfigMap], reconciler: reconcileWebsite });
