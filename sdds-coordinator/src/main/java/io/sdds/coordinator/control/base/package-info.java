/** What all parts of the coordinators' judgement share: the context, the log of commands, settings, requests. */
@NullMarked
package io.sdds.coordinator.control.base;

import org.jspecify.annotations.NullMarked;
