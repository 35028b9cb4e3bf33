/** Splits, merges, moves and copies that are under way: their reports, and orders that stall. */
@NullMarked
package io.sdds.coordinator.control.migration;

import org.jspecify.annotations.NullMarked;
