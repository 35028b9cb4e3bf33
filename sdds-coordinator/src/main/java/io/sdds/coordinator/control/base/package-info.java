/** Holds the parts that all other packages of the coordinator use: context, log of commands, settings, requests. */
@NullMarked
package io.sdds.coordinator.control.base;

import org.jspecify.annotations.NullMarked;
