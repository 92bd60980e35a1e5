import { replayFamily } from './replay/family.ts';

replayFamily('negotiation');
