/** Merge information for strategic merge patches. */

/** Merge information of one field. */
export interface PatchField {
  /** Shape of the field's value or list items; undefined for scalars and free-form values. */
  readonly shape?: PatchShape;
  /** True when the field is a list. */
  readonly list: boolean;
  /** Lists only: true when items are merged (by `mergeKey`, or as a set of scalars without one) instead of replaced. */
  readonly merge: boolean;
  readonly mergeKey?: string;
}

/** Fields of an object, for strategic merge patches. */
export interface PatchShape {
  /** Returns a field; undefined for unknown fields. */
  field(name: string): PatchField | undefined;
}
