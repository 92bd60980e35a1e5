/** Plays the website in operator-sdk-extra's model. */

import { play } from '../play.ts';
import { reconcilerFor } from './reconciler.ts';

await play(reconcilerFor);
