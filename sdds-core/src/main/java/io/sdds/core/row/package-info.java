/**
 * Typed rows: schemas, the layout of a row in a value, and the order-preserving encoding of keys (docs/design/rows.md,
 * rule 37).
 */
@NullMarked
package io.sdds.core.row;

import org.jspecify.annotations.NullMarked;
