import { components } from 'workspace-sequencer/integrations/components';

/** Integrations that the manifests of this folder are made for: pods and services. For yours, `sequencer manifests` makes others. */
export const integrations = [components()];
