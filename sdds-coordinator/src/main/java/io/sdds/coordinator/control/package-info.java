/**
 * The coordinator's judgement: who lives, where things go, who is told. Pure; commands leave through the command log.
 */
@NullMarked
package io.sdds.coordinator.control;

import org.jspecify.annotations.NullMarked;
