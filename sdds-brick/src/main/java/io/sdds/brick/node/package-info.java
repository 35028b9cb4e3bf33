/** A stage of a brick as a node: its links, its client of the coordinators, and the wiring of its parts. */
@NullMarked
package io.sdds.brick.node;

import org.jspecify.annotations.NullMarked;
