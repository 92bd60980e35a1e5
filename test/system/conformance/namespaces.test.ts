import { replayFamily } from './family.ts';

replayFamily('namespaces');
