/**
 * The clients of a run: their operations, scans and queries, the values that they write, and the history that they
 * record.
 */
@NullMarked
package io.sdds.sim.load;

import org.jspecify.annotations.NullMarked;
