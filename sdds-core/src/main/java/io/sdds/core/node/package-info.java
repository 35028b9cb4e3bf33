/** The seam between deterministic logic and the world: links, timers, the environment handed in. */
@NullMarked
package io.sdds.core.node;

import org.jspecify.annotations.NullMarked;
