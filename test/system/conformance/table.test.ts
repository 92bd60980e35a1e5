import { replayFamily } from './family.ts';

replayFamily('table');
