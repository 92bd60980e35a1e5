import { replayFamily } from './family.ts';

replayFamily('auth');
