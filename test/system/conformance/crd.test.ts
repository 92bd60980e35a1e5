import { replayFamily } from './family.ts';

replayFamily('crd');
