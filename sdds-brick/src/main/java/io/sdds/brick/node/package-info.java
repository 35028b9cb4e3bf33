/** The brick's stage as a node: links, peers, coordinator, and the wiring of the parts. */
@NullMarked
package io.sdds.brick.node;

import org.jspecify.annotations.NullMarked;
