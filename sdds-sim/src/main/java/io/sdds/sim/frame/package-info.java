/** Frames of the wire, decoded from their bytes without the code of the nodes, and written as readable lines. */
@NullMarked
package io.sdds.sim.frame;

import org.jspecify.annotations.NullMarked;
