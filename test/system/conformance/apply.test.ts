import { replayFamily } from './family.ts';

replayFamily('apply');
