/** Stages: bounded event queues with admission control at the door (docs/design/overload.md). */
@NullMarked
package io.sdds.core.stage;

import org.jspecify.annotations.NullMarked;
