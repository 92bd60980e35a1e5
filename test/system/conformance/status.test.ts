import { replayFamily } from './family.ts';

replayFamily('status');
