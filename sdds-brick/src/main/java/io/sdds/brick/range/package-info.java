/**
 * The bucket of a range partition: records in key order, found through a B+-tree over the record store.
 *
 * <p>A bucket belongs to one stage and is used by its thread alone.
 */
@NullMarked
package io.sdds.brick.range;

import org.jspecify.annotations.NullMarked;
