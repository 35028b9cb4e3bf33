/**
 * The coordinator's replicated state machine: what every coordinator agrees on. Pure; time, links and loads are unknown
 * here.
 */
@NullMarked
package io.sdds.coordinator.state;

import org.jspecify.annotations.NullMarked;
