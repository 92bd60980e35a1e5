/** Filters of the list of workspaces. */

import { useEffect, useRef } from 'preact/hooks';
import type { FilterChoices, RowFilter } from './model/row-filter.ts';
import { toneOf } from './model/status-tone.ts';

interface FilterProps {
  readonly filter: RowFilter;
  readonly choices: FilterChoices;
  readonly onFilter: (filter: RowFilter) => void;
}

function Choice({
  label,
  value,
  values,
  onValue,
}: {
  readonly label: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly onValue: (value: string) => void;
}) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
      <option value="">{label}</option>
      {values.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  );
}

interface ChipProps {
  readonly word: string;
  readonly count: number;
  readonly isPressed: boolean;
  readonly onPress: () => void;
}

function Chip({ word, count, isPressed, onPress }: ChipProps) {
  return (
    <button type="button" class={`chip ${toneOf(word)}`} aria-pressed={isPressed} onClick={onPress}>
      {word} <b>{count}</b>
    </button>
  );
}

/** Search field, chips of phases, and choices of namespace, condition and status. */
export function WorkspaceFilters({ filter, choices, onFilter }: FilterProps) {
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const inField = event.target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key !== '/' || inField || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      search.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <search class="filters">
      <input
        ref={search}
        type="search"
        placeholder="Search name, namespace, reason  ( / )"
        aria-label="Search workspaces"
        value={filter.text}
        onInput={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      <fieldset class="chips">
        <legend class="hidden">Phase</legend>
        {(choices.unknown > 0 || filter.status === 'Unknown') && (
          <Chip
            word="Unknown"
            count={choices.unknown}
            isPressed={filter.status === 'Unknown'}
            onPress={() => onFilter({ ...filter, status: filter.status === 'Unknown' ? '' : 'Unknown' })}
          />
        )}
        {[...choices.phases].map(([phase, count]) => (
          <Chip
            key={phase}
            word={phase}
            count={count}
            isPressed={filter.phase === phase}
            onPress={() => onFilter({ ...filter, phase: filter.phase === phase ? '' : phase })}
          />
        ))}
      </fieldset>
      <div class="choices">
        <Choice
          label="Namespace"
          value={filter.namespace}
          values={choices.namespaces}
          onValue={(namespace) => onFilter({ ...filter, namespace })}
        />
        <Choice
          label="Condition"
          value={filter.condition}
          values={choices.conditions}
          onValue={(condition) => onFilter({ ...filter, condition })}
        />
        <Choice
          label="Status"
          value={filter.status}
          values={choices.statuses}
          onValue={(status) => onFilter({ ...filter, status })}
        />
      </div>
    </search>
  );
}
