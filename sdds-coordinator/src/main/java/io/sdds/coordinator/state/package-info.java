/** The replicated state machine of the coordinators. Pure logic: it does not know time, links or loads. */
@NullMarked
package io.sdds.coordinator.state;

import org.jspecify.annotations.NullMarked;
