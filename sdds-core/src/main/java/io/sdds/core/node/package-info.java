/** The seam between deterministic logic and the world: links, timers (docs/design/simulator.md, rule 25). */
@NullMarked
package io.sdds.core.node;

import org.jspecify.annotations.NullMarked;
