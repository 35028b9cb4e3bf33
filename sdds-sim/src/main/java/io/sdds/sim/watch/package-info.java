/** Looks at the frames of a run: checks of the rules that hold at any moment, and counts of rare events. */
@NullMarked
package io.sdds.sim.watch;

import org.jspecify.annotations.NullMarked;
