/** Plays the website in grafana-app-sdk's model. */

import { play } from '../play.ts';
import { reconcilerFor } from './reconciler.ts';

await play(reconcilerFor);
