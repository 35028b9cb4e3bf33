/** The bricks and clients that a coordinator knows: registration, heartbeats, leases, sessions, features. */
@NullMarked
package io.sdds.coordinator.control.member;

import org.jspecify.annotations.NullMarked;
